import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Update" className="page">
      <h1>Update</h1>
    </Screen>
  );
}
