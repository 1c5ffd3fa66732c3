import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Notifications" className="page">
      <h1>Notifications</h1>
    </Screen>
  );
}
