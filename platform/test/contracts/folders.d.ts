/** A fresh folder for one test, and what removes it again. */
export declare function temporaryFolder(): Promise<{
    path: string;
    remove(): Promise<void>;
}>;
//# sourceMappingURL=folders.d.ts.map