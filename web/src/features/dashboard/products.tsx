import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="All Products" className="page">
      <h1>All Products</h1>
    </Screen>
  );
}
