package io.coil.simulation.mutant;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/** Writes for one instruction what an edit says. */
final class Instructions {
    private final CodeBuilder code;
    private final Hooks hooks;
    private final boolean hasThis;

    Instructions(CodeBuilder code, Hooks hooks, boolean hasThis) {
        this.code = code;
        this.hooks = hooks;
        this.hasThis = hasThis;
    }

    /** What an instruction takes from the stack, and leaves there. */
    private record Shape(List<ClassDesc> takes, ClassDesc gives) {
        static Shape of(CodeElement element) {
            return switch (element) {
                case InvokeInstruction call -> {
                    List<ClassDesc> takes = new ArrayList<>();
                    if (call.opcode() != Opcode.INVOKESTATIC) {
                        takes.add(call.owner().asSymbol());
                    }
                    takes.addAll(call.typeSymbol().parameterList());
                    yield new Shape(takes, call.typeSymbol().returnType());
                }
                case FieldInstruction field ->
                        new Shape(List.of(field.owner().asSymbol()), field.typeSymbol());
                default -> throw new IllegalArgumentException("no place: " + element);
            };
        }
    }

    private static final ClassDesc MEMORY = ClassDesc.of("io.coil.simulation.mutant.hook.Memory");
    private static final MethodTypeDesc REACHED =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    /** Writes it, and that it was reached: {@code which} rewriting of the mutant this is. */
    void write(CodeElement element, Edit edit, int which) {
        code.loadConstant(which).invokestatic(MEMORY, "reached", REACHED);
        Shape shape = Shape.of(element);
        switch (edit) {
            case Edit.Answer(Object value) -> {
                List<ClassDesc> takes = shape.takes();
                for (int i = takes.size() - 1; i >= 0; i--) {
                    pop(takes.get(i));
                }
                push(shape.gives(), value);
            }
            case Edit.Not not -> code.with(element).iconst_1().ixor();
            case Edit.Instead(String hook) -> call(hook, shape.takes(), shape.gives());
            case Edit.After(String hook) -> {
                int[] kept = store(shape.takes());
                load(shape.takes(), kept);
                code.with(element);
                load(shape.takes(), kept);
                List<ClassDesc> seen = new ArrayList<>(shape.takes());
                if (!shape.gives().equals(ConstantDescs.CD_void)) {
                    seen.addFirst(shape.gives());
                }
                call(hook, seen, shape.gives());
            }
            case Edit.Before(String hook) -> {
                int[] kept = store(shape.takes());
                load(shape.takes(), kept);
                call(hook, shape.takes(), ConstantDescs.CD_boolean);
                Label skip = code.newLabel();
                Label end = code.newLabel();
                code.ifne(skip);
                load(shape.takes(), kept);
                code.with(element).goto_(end).labelBinding(skip);
                push(shape.gives(), null);
                code.labelBinding(end);
            }
        }
    }

    /** Calls the hook with what lies on the stack, and {@code this} if it takes one more. */
    private void call(String name, List<ClassDesc> given, ClassDesc wanted) {
        Hooks.Hook hook = hooks.find(name);
        MethodTypeDesc type = hook.type();
        if (type.parameterCount() == given.size() + 1 && hasThis) {
            code.aload(0);
        } else if (type.parameterCount() != given.size()) {
            throw new Rewriter.NotFound(
                    "hook %s takes %s, and there is %s%s"
                            .formatted(
                                    name,
                                    type.displayDescriptor(),
                                    given,
                                    hasThis ? " and this" : ""));
        }
        code.invokestatic(hook.owner(), hook.name(), type);
        if (!type.returnType().equals(wanted)) {
            if (wanted.isPrimitive() || type.returnType().isPrimitive()) {
                throw new Rewriter.NotFound(
                        "hook %s gives %s, not %s"
                                .formatted(
                                        name,
                                        type.returnType().displayName(),
                                        wanted.displayName()));
            }
            code.checkcast(wanted);
        }
    }

    private int[] store(List<ClassDesc> types) {
        int[] locals = new int[types.size()];
        for (int i = types.size() - 1; i >= 0; i--) {
            TypeKind kind = TypeKind.from(types.get(i));
            locals[i] = code.allocateLocal(kind);
            code.storeLocal(kind, locals[i]);
        }
        return locals;
    }

    private void load(List<ClassDesc> types, int[] locals) {
        for (int i = 0; i < locals.length; i++) {
            code.loadLocal(TypeKind.from(types.get(i)), locals[i]);
        }
    }

    private void pop(ClassDesc type) {
        if (TypeKind.from(type).slotSize() == 2) {
            code.pop2();
        } else {
            code.pop();
        }
    }

    private void push(ClassDesc type, @Nullable Object value) {
        switch (TypeKind.from(type)) {
            case VOID -> {}
            case REFERENCE -> {
                if (value != null) {
                    throw new Rewriter.NotFound("no constant for a " + type.displayName());
                }
                code.aconst_null();
            }
            case BOOLEAN -> code.loadConstant(Boolean.TRUE.equals(value) ? 1 : 0);
            case LONG -> code.loadConstant(value instanceof Number n ? n.longValue() : 0L);
            case INT, SHORT, BYTE, CHAR ->
                    code.loadConstant(value instanceof Number n ? n.intValue() : 0);
            case FLOAT, DOUBLE ->
                    throw new Rewriter.NotFound("no constant for a " + type.displayName());
        }
    }
}
