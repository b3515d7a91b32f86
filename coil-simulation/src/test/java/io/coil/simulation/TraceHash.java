package io.coil.simulation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Prints a digest of whole traces, for a comparison of JVMs. */
final class TraceHash {
    private TraceHash() {}

    public static void main(String[] args) {
        System.out.println(of(Integer.parseInt(args[0])));
    }

    static String of(int seeds) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (long seed = 1; seed <= seeds; seed++) {
                for (String line : Simulation.run(seed, Options.STANDARD, null, true).trace()) {
                    digest.update(line.getBytes(StandardCharsets.UTF_8));
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
