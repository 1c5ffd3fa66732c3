import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Total Admins" className="page">
      <h1>Total Admins</h1>
    </Screen>
  );
}
