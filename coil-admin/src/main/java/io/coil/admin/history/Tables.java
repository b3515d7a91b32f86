package io.coil.admin.history;

/** All that is kept, by table. */
record Tables(
        Holdings holdings, Blocks blocks, Runs runs, Audits audits, Uses uses, Sights sights) {

    static Tables of(Database database) {
        return new Tables(
                new Holdings(database),
                new Blocks(database),
                new Runs(database),
                new Audits(database),
                new Uses(database),
                new Sights(database));
    }
}
