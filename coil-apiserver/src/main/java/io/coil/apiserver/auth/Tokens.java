package io.coil.apiserver.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Bearer tokens that say who their holder is, signed with the server's key. Nothing is stored: a
 * token stays valid as long as the key does.
 */
public final class Tokens {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    public Tokens(byte[] key) {
        this.key = new SecretKeySpec(key.clone(), ALGORITHM);
    }

    public String issue(Identity identity) {
        StringBuilder text = new StringBuilder(identity.name());
        identity.groups().forEach(group -> text.append('\n').append(group));
        byte[] content = text.toString().getBytes(StandardCharsets.UTF_8);
        return encode(content) + "." + encode(sign(content));
    }

    public Optional<Identity> verify(String token) {
        int dot = token.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        byte[] content;
        byte[] signature;
        try {
            content = Base64.getUrlDecoder().decode(token.substring(0, dot));
            signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
        if (!MessageDigest.isEqual(signature, sign(content))) {
            return Optional.empty();
        }
        List<String> lines =
                Arrays.asList(new String(content, StandardCharsets.UTF_8).split("\n", -1));
        return Optional.of(Identity.of(lines.getFirst(), lines.subList(1, lines.size())));
    }

    private byte[] sign(byte[] content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
