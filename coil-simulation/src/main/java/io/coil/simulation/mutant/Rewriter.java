package io.coil.simulation.mutant;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Applies rewritings to classes, and fails loudly where one does not find its place. */
final class Rewriter {
    private final ClassFile files;
    private final Hooks hooks;
    private final List<Rewriting> all;

    /** {@code all}: of the mutant, in the order in which they are counted. */
    Rewriter(ClassLoader classes, List<Rewriting> all) {
        this.all = all;
        this.files =
                ClassFile.of(
                        ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(classes)
                                        .orElse(ClassHierarchyResolver.defaultResolver())
                                        .cached()));
        this.hooks = new Hooks(classes);
    }

    /**
     * A place is not there as often as it is said to be: the catalogue or the code is to change.
     */
    static final class NotFound extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        NotFound(String message) {
            super(message);
        }
    }

    /** The class with these rewritings, all of which are of it. */
    byte[] rewrite(byte[] original, List<Rewriting> rewritings) {
        ClassModel model = files.parse(original);
        Map<Rewriting, Integer> found = new HashMap<>();
        for (MethodModel method : model.methods()) {
            for (CodeElement element :
                    method.code().map(CodeModel::elementList).orElse(List.of())) {
                for (Rewriting rewriting : rewritings) {
                    if (meant(rewriting, method, element)) {
                        found.merge(rewriting, 1, Integer::sum);
                    }
                }
            }
        }
        for (Rewriting rewriting : rewritings) {
            int times = found.getOrDefault(rewriting, 0);
            if (times != rewriting.times()) {
                throw new NotFound(
                        "%s is there %d times, not %d"
                                .formatted(rewriting, times, rewriting.times()));
            }
        }
        Map<Rewriting, Integer> seen = new HashMap<>();
        return files.transformClass(
                model,
                (builder, element) -> {
                    if (element instanceof MethodModel method
                            && rewritings.stream().anyMatch(r -> r.covers(name(method)))) {
                        builder.transformMethod(method, body(method, rewritings, seen));
                    } else {
                        builder.with(element);
                    }
                });
    }

    private static String name(MethodModel method) {
        return method.methodName().stringValue();
    }

    private static boolean meant(Rewriting rewriting, MethodModel method, CodeElement element) {
        return rewriting.covers(name(method)) && rewriting.place().is(element);
    }

    private MethodTransform body(
            MethodModel method, List<Rewriting> rewritings, Map<Rewriting, Integer> seen) {
        boolean hasThis = !method.flags().has(AccessFlag.STATIC);
        return MethodTransform.transformingCode(
                (code, element) -> {
                    Rewriting rewriting = chosen(method, element, rewritings, seen);
                    if (rewriting == null) {
                        code.with(element);
                    } else {
                        new Instructions(code, hooks, hasThis)
                                .write(element, rewriting.edit(), all.indexOf(rewriting));
                    }
                });
    }

    private static @Nullable Rewriting chosen(
            MethodModel method,
            CodeElement element,
            List<Rewriting> rewritings,
            Map<Rewriting, Integer> seen) {
        Rewriting chosen = null;
        for (Rewriting rewriting : rewritings) {
            if (meant(rewriting, method, element)) {
                int which = seen.merge(rewriting, 1, Integer::sum);
                if (rewriting.only() == 0 || rewriting.only() == which) {
                    chosen = rewriting;
                }
            }
        }
        return chosen;
    }
}
