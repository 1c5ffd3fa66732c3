/** A logger that prints only what would make a figure worthless. */
const tell = (...what) => console.error(...what);
export const quiet = { debug() {}, info() {}, warn: tell, error: tell };
