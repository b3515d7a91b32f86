package io.coil.simulation.mutant;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;

/** An instruction within a method, by what it does. */
public sealed interface Place {

    /** The call of a method, by the simple name of the class that the call names, and its own. */
    record Call(String owner, String name) implements Place {
        @Override
        public boolean is(CodeElement element) {
            return element instanceof InvokeInstruction call
                    && simple(call.owner().asInternalName()).equals(owner)
                    && call.name().equalsString(name);
        }

        @Override
        public String toString() {
            return owner + "." + name + "()";
        }
    }

    /** The reading of a field that is not static. */
    record Read(String owner, String name) implements Place {
        @Override
        public boolean is(CodeElement element) {
            return element instanceof FieldInstruction field
                    && field.opcode() == Opcode.GETFIELD
                    && simple(field.owner().asInternalName()).equals(owner)
                    && field.name().equalsString(name);
        }

        @Override
        public String toString() {
            return owner + "." + name;
        }
    }

    /** Whether this instruction is meant. */
    boolean is(CodeElement element);

    /** {@code "KubeApi.get"}: the call of a method. */
    static Place call(String text) {
        int dot = text.indexOf('.');
        return new Call(text.substring(0, dot), text.substring(dot + 1));
    }

    /** {@code "HeldBlock.state"}: the reading of a field. */
    static Place read(String text) {
        int dot = text.indexOf('.');
        return new Read(text.substring(0, dot), text.substring(dot + 1));
    }

    private static String simple(String internalName) {
        return internalName.substring(
                Math.max(internalName.lastIndexOf('/'), internalName.lastIndexOf('$')) + 1);
    }
}
