// A module for the writer thread in tests, in the form of a port's `writes` module.
export const schema = `
  CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
`;

export const operations = {
  note(sql, { text }) {
    sql.run('INSERT INTO notes (text) VALUES (?)', [text]);
    return sql.get('SELECT count(*) AS many FROM notes').many;
  },
  waiting(sql) {
    return sql.get('PRAGMA synchronous').synchronous;
  },
  noteAndFail(sql, { text }) {
    sql.run('INSERT INTO notes (text) VALUES (?)', [text]);
    throw new Error('changed its mind');
  },
  endThread() {
    process.exit();
  },
};
