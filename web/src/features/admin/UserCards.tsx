import { pagePaths } from '@oja/contracts/pages';
import { useMutation } from '@tanstack/react-query';
import { Crown, History as HistoryIcon, ShieldUser } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '../../api/types.js';
import { BUYERS_PATH } from '../../app/layouts/AdminLayout.js';
import { useUser } from '../../stores/session.js';
import { Badge } from '../../ui/Badge.js';
import { Button, IconButton } from '../../ui/Button.js';
import { SellerSwatch } from '../../ui/Cloth.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { classes } from '../../ui/classes.js';
import { ConfirmButtons, Dialog } from '../../ui/Dialog.js';
import { useFocusHeadingOnUnmount } from '../../ui/focus.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { MoreButton } from '../../ui/MoreButton.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { toast } from '../../ui/toast.js';
import { History } from '../history/History.js';
import {
  displayName,
  reloadAdminPages,
  setSubAdmin,
  toggleSuspended,
  useIsHeadAdmin,
  useNames,
} from './api.js';
import { orRemoved } from './labels.js';
import * as styles from './UserCards.module.css';

/** Cards shown at first, and more per press of 'Load more': there may be a thousand users. */
const CARDS_PER_STEP = 60;

/** Cards of users who have a store. */
export function UserList({
  users,
  canMakeAdmin = false,
}: {
  readonly users: readonly Profile[];
  readonly canMakeAdmin?: boolean;
}) {
  const [shownCount, setShownCount] = useState(CARDS_PER_STEP);
  return (
    <>
      <div className={styles.cards}>
        {users.slice(0, shownCount).map((user) => (
          <UserCard key={user.user_id} user={user} canMakeAdmin={canMakeAdmin} />
        ))}
      </div>
      {users.length > shownCount && (
        <MoreButton onClick={() => setShownCount(shownCount + CARDS_PER_STEP)}>
          Load more
        </MoreButton>
      )}
    </>
  );
}

/** Placeholders while the cards load. */
export function UserSkeletons() {
  return (
    <div className={styles.cards} aria-busy="true">
      {[1, 2, 3, 4, 5, 6].map((place) => (
        <Skeleton key={place} height={224} />
      ))}
    </div>
  );
}

interface UserCardProps {
  readonly user: Profile;
  /** Whether 'Make Admin' is offered. The list of admins does not offer it. */
  readonly canMakeAdmin: boolean;
}

/** Whether a user is active, in a word. */
export const describeState = ({ erased, is_suspended }: Profile) =>
  erased === 1 ? 'Erased' : is_suspended === 1 ? 'Suspended' : 'Active';

/** A user with a store. Head admins get the actions at the bottom. */
function UserCard({ user, canMakeAdmin }: UserCardProps) {
  const [asking, setAsking] = useState(false);
  const head = useIsHeadAdmin();
  const isMyself = useUser()?.user_id === user.user_id;
  const suspended = user.is_suspended === 1;
  const erased = user.erased === 1;
  return (
    <article
      className={classes(
        panelStyles.panel,
        styles.card,
        user.is_subAdmin === 1 && styles.subAdmin,
        suspended && styles.suspended,
      )}
    >
      <div className={`${layout.row} ${styles.head}`}>
        <SellerSwatch sellerId={user.user_id} size={48} />
        <div className={layout.grow}>
          <h2 className={styles.name}>{orRemoved(user.name)}</h2>
          <p className={`${layout.row} ${layout.wrap} ${styles.badges}`}>
            {user.is_admin === 1 && (
              <Badge tone="ind" icon={Crown}>
                Head admin
              </Badge>
            )}
            {user.is_subAdmin === 1 && (
              <Badge tone="ind" icon={ShieldUser}>
                Sub-admin
              </Badge>
            )}
            <Badge tone={erased ? 'grey' : suspended ? 'bad' : 'safe'}>{describeState(user)}</Badge>
          </p>
        </div>
        <IconButton
          of={HistoryIcon}
          label={`History of ${user.businessName}`}
          onClick={() => setAsking(true)}
        />
      </div>
      <dl>
        <div>
          <dt>ID</dt>
          <dd className={layout.mono}>
            {user.user_id}
            <CopyButton inLine text={user.user_id} what={`the ID of ${user.businessName}`} />
          </dd>
        </div>
        <div>
          <dt>Business</dt>
          <dd>{user.businessName}</dd>
        </div>
        <div>
          <dt>Phone</dt>
          <dd className={layout.figures}>
            {orRemoved(user.phone_1)}
            {user.phone_1 !== null && (
              <CopyButton
                inLine
                text={user.phone_1}
                what={`the phone number of ${user.businessName}`}
              />
            )}
          </dd>
        </div>
      </dl>
      {head && !isMyself && user.is_admin === 0 && (!erased || user.is_subAdmin === 1) && (
        <UserActions user={user} canMakeAdmin={canMakeAdmin} />
      )}
      <Dialog open={asking} onClose={() => setAsking(false)} title={user.businessName}>
        <SellerHistory sellerId={user.user_id} />
      </Dialog>
    </article>
  );
}

function SellerHistory({ sellerId }: { readonly sellerId: string }) {
  return <History kind="seller" id={sellerId} names={useNames()} />;
}

/** For an erased user only the admin role can be changed: it can be revoked. */
function UserActions({ user, canMakeAdmin }: UserCardProps) {
  const [asking, setAsking] = useState(false);
  const suspension = useSuspension(user);
  const subAdmin = useSubAdmin(user);
  const isSub = user.is_subAdmin === 1;
  const erased = user.erased === 1;
  const of = <span className={layout.visuallyHidden}> {user.businessName}</span>;
  // A former admin disappears from the list of admins, and an erased user's buttons disappear.
  useFocusHeadingOnUnmount();
  return (
    <div className={`${layout.row} ${layout.wrap}`}>
      {!erased && (
        <Button
          look={user.is_suspended === 1 ? 'line' : 'danger-line'}
          size="s"
          className={layout.grow}
          busy={suspension.isPending}
          onClick={({ detail }) => detail > 1 || suspension.mutate(user.is_suspended === 0)}
        >
          {user.is_suspended === 1 ? 'Activate' : 'Deactivate'}
          {of}
        </Button>
      )}
      {(isSub || (canMakeAdmin && !erased)) && (
        <Button
          look={isSub ? 'line' : 'tint'}
          size="s"
          className={layout.grow}
          busy={subAdmin.isPending}
          onClick={({ detail }) => detail > 1 || (isSub ? subAdmin.mutate(false) : setAsking(true))}
        >
          {isSub ? 'Delete Admin' : 'Make Admin'}
          {of}
        </Button>
      )}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Make ${displayName(user)} an admin?`}
        foot={
          <ConfirmButtons
            no="Not now"
            onNo={() => setAsking(false)}
            look="pri"
            onYes={() => {
              setAsking(false);
              subAdmin.mutate(true);
            }}
          >
            Yes, make an admin
          </ConfirmButtons>
        }
      >
        <p>
          {user.businessName} will see every seller and every order, with the buyers' names,
          addresses and phone numbers. It changes nothing else, and can be undone.
        </p>
      </Dialog>
    </div>
  );
}

const logError = (error: unknown) => console.error(error);

/** Deactivates or activates a seller. A failure is only logged; the refetched list shows the current state. */
function useSuspension({ user_id }: Profile) {
  const toggle = useMutation({
    mutationFn: (suspended: boolean) => toggleSuspended(user_id, suspended),
    onSuccess: (message, suspended) =>
      toast.success(message, {
        action: { label: 'Undo', onPress: () => toggle.mutate(!suspended) },
      }),
    onError: logError,
    onSettled: reloadAdminPages,
  });
  return toggle;
}

/** Grants or revokes the sub-admin role. A failure is only logged. */
function useSubAdmin(user: Profile) {
  const change = useMutation({
    mutationFn: (isSubAdmin: boolean) => setSubAdmin(user.user_id, isSubAdmin),
    onSuccess: (_, isSubAdmin) => {
      const name = displayName(user);
      toast.success(
        isSubAdmin
          ? `sucessfully made ${name} an Admin`
          : `sucessfully removed ${name} from being an Admin`,
        { action: { label: 'Undo', onPress: () => change.mutate(!isSubAdmin) } },
      );
    },
    onError: logError,
    onSettled: reloadAdminPages,
  });
  return change;
}

const views = {
  sellers: [
    ['Sellers', pagePaths.sellers],
    ['Buyers', BUYERS_PATH],
  ],
  admins: [
    ['Admins', pagePaths.admins],
    ['What they did', `${pagePaths.admins}?view=audit`],
  ],
} as const;

/** Links between the two views of a page: sellers and buyers, or admins and what they did. */
export function ViewSwitch({
  of,
  second,
}: {
  readonly of: keyof typeof views;
  readonly second: boolean;
}) {
  return (
    <nav className={toolbarStyles.segments} aria-label="View">
      {views[of].map(([label, to], place) => (
        <Link key={to} to={to} aria-current={(place === 1) === second || undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
