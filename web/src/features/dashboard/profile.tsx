import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Profile" className="page">
      <h1>Profile</h1>
    </Screen>
  );
}
