import { flexRender, type Header, type RowData, type Table } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { classes } from './classes.js';
import * as styles from './DataTable.module.css';
import { Icon } from './Icon.js';

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData extends RowData, TValue> {
    /** Aligns figures to the right. */
    readonly right?: boolean;
    /** Shows ids in a monospace font. */
    readonly mono?: boolean;
  }
}

interface DataTableProps<T extends RowData> {
  /** Created by the screen with `useReactTable`; its state is in the URL. */
  readonly table: Table<T>;
  readonly label: string;
  readonly rowClass?: (row: T) => string | undefined;
  /** Called for a press in the row, but not on a link or a button: the first cell holds the link for keyboards. */
  readonly onRowPress?: (row: T) => void;
}

/** Whether what was pressed acts by itself, also in another tab. */
const isInteractive = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button') !== null;

/** A table with sticky header row and first column, sorted by its column headers. */
export function DataTable<T extends RowData>({
  table,
  label,
  rowClass,
  onRowPress,
}: DataTableProps<T>) {
  return (
    <section className={styles.table} aria-label={label}>
      <table>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header, i) => (
                <HeadCell key={header.id} header={header} pinned={i === 0} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr
              key={row.id}
              className={rowClass?.(row.original)}
              onClick={
                onRowPress && (({ target }) => isInteractive(target) || onRowPress(row.original))
              }
            >
              {row.getVisibleCells().map((cell, i) => {
                const { right, mono } = cell.column.columnDef.meta ?? {};
                return (
                  <td
                    key={cell.id}
                    className={classes(
                      i === 0 && styles.pinned,
                      right && styles.right,
                      mono && styles.mono,
                    )}
                  >
                    {flexRender(cell.column.columnDef.cell, cell.getContext())}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const order = { asc: 'ascending', desc: 'descending' } as const;

function HeadCell<T extends RowData>({
  header,
  pinned,
}: {
  readonly header: Header<T, unknown>;
  readonly pinned: boolean;
}) {
  const { column } = header;
  const sorted = column.getIsSorted();
  const content = flexRender(column.columnDef.header, header.getContext());
  return (
    <th
      scope="col"
      className={classes(pinned && styles.pinned, column.columnDef.meta?.right && styles.right)}
      aria-sort={sorted === false ? undefined : order[sorted]}
    >
      {column.getCanSort() ? (
        <button type="button" className={styles.sort} onClick={column.getToggleSortingHandler()}>
          {content}
          {sorted !== false && <Icon of={sorted === 'asc' ? ArrowUp : ArrowDown} size="xs" />}
        </button>
      ) : (
        content
      )}
    </th>
  );
}
