import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Ratings and reviews" className="page">
      <h1>Ratings and reviews</h1>
    </Screen>
  );
}
