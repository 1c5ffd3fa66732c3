/** How many were found, read out when it changes. Its line stands before the figure is known. */
export function Found({ total }: { readonly total: number | undefined }) {
  return (
    <p className="muted found" role="status">
      {total !== undefined && (
        <>
          <b className="num">{total.toLocaleString('en-NG')}</b>{' '}
          {total === 1 ? 'product found' : 'products found'}
        </>
      )}
    </p>
  );
}
