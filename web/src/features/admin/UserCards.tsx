import { useState } from 'react';
import type { Profile } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { UserCard } from './UserCard.js';

/** Cards drawn at once; more on demand, since there may be a thousand. */
const PAGE = 60;

/** Cards of people with a store. */
export function Users({
  users,
  mayMakeAdmin = false,
}: {
  readonly users: readonly Profile[];
  readonly mayMakeAdmin?: boolean;
}) {
  const [most, setMost] = useState(PAGE);
  return (
    <>
      <div className="ucards">
        {users.slice(0, most).map((user) => (
          <UserCard key={user.user_id} user={user} mayMakeAdmin={mayMakeAdmin} />
        ))}
      </div>
      {users.length > most && (
        <p className="c more">
          <Button look="line" onClick={() => setMost(most + PAGE)}>
            Load more
          </Button>
        </p>
      )}
    </>
  );
}

/** Cards that are still coming. */
export function UserSkeletons() {
  return (
    <div className="ucards" aria-busy="true">
      {[1, 2, 3, 4, 5, 6].map((place) => (
        <Skeleton key={place} height={224} />
      ))}
    </div>
  );
}
