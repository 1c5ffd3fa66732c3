import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="All Category" className="page">
      <h1>All Category</h1>
    </Screen>
  );
}
