import { createColumnHelper, getCoreRowModel, useReactTable } from '@tanstack/react-table';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render.js';
import { DataTable } from './DataTable.js';
import { Link } from './Link.js';

interface Row {
  readonly id: string;
  readonly name: string;
}
const data: Row[] = [{ id: 't1', name: 'Halima' }];
const column = createColumnHelper<Row>();
const columns = [
  column.accessor('id', { cell: ({ getValue }) => <Link to="/t1">{getValue()}</Link> }),
  column.accessor('name', {}),
];

function Rows({ onRow }: { readonly onRow: (row: Row) => void }) {
  const table = useReactTable({ data, columns, getCoreRowModel: getCoreRowModel() });
  return <DataTable table={table} label="Rows" onRowPress={onRow} />;
}

it('a press in a row opens it, and a press on its link is left to the link', () => {
  const onRow = vi.fn();
  renderPart(<Rows onRow={onRow} />);
  fireEvent.click(screen.getByText('Halima'));
  expect(onRow).toHaveBeenCalledExactlyOnceWith(data[0]);
  fireEvent.click(screen.getByText('t1'), { ctrlKey: true });
  expect(onRow).toHaveBeenCalledOnce();
});
