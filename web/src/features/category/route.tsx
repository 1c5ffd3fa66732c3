import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Category" className="page">
      <h1>Category</h1>
    </Screen>
  );
}
