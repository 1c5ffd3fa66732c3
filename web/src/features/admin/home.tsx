import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Admin" className="page">
      <h1>Admin</h1>
    </Screen>
  );
}
