package io.coil.simulation.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** Finds hooks by their names, as {@code "AgentHooks.name"}, without loading them. */
final class Hooks {
    private static final String PACKAGE = "io.coil.simulation.mutant.hook.";

    private final ClassLoader classes;

    Hooks(ClassLoader classes) {
        this.classes = classes;
    }

    /** A static method that rewritten code may call. */
    record Hook(ClassDesc owner, String name, MethodTypeDesc type) {}

    Hook find(String text) {
        int dot = text.indexOf('.');
        String owner = PACKAGE + text.substring(0, dot);
        String name = text.substring(dot + 1);
        List<MethodModel> found =
                ClassFile.of().parse(bytes(classes, owner)).methods().stream()
                        .filter(m -> m.methodName().equalsString(name))
                        .toList();
        if (found.size() != 1) {
            throw new Rewriter.NotFound("there are %d hooks %s".formatted(found.size(), text));
        }
        return new Hook(ClassDesc.of(owner), name, found.getFirst().methodTypeSymbol());
    }

    static byte[] bytes(ClassLoader classes, String binaryName) {
        String file = binaryName.replace('.', '/') + ".class";
        try (InputStream in = classes.getResourceAsStream(file)) {
            if (in == null) {
                throw new Rewriter.NotFound("there is no class " + binaryName);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
