package io.coil.agent.cni;

import io.coil.core.holdings.ContainerKey;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Name of the host's end of a link: {@code veth} and the first 11 hexadecimal digits of a digest,
 * 15 characters as Linux allows.
 */
final class HostInterface {
    private HostInterface() {}

    static String of(ContainerKey key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1")
                            .digest(key.toString().getBytes(StandardCharsets.UTF_8));
            return "veth" + HexFormat.of().formatHex(digest).substring(0, 11);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
