import { Crown, History as HistoryIcon, ShieldUser } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '../../api/types.js';
import { useUser } from '../../stores/session.js';
import { Badge } from '../../ui/Badge.js';
import { Button } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { Dialog } from '../../ui/Dialog.js';
import { IconButton } from '../../ui/IconButton.js';
import { SellerSwatch } from '../../ui/SellerSwatch.js';
import { History } from '../history/History.js';
import { personalWords } from './order/words.js';
import { useIsHead } from './rights.js';
import { useSubAdmin, useSuspension } from './use-user-acts.js';
import { useNames } from './users.js';

interface UserCardProps {
  readonly user: Profile;
  /** On the list of admins nobody is made one. */
  readonly mayMakeAdmin: boolean;
}

/** A person with a store; what may be done to them stands below. */
export function UserCard({ user, mayMakeAdmin }: UserCardProps) {
  const [asking, setAsking] = useState(false);
  const head = useIsHead();
  const myself = useUser()?.user_id === user.user_id;
  const suspended = user.is_suspended === 1;
  return (
    <article
      className={classes('panel ucard', user.is_subAdmin === 1 && 'sub', suspended && 'sus')}
    >
      <div className="row uhead">
        <SellerSwatch sellerId={user.user_id} size={48} />
        <div className="grow">
          <h2 className="uname">{personalWords(user.name)}</h2>
          <p className="row wrap badges">
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
            <Badge tone={suspended ? 'bad' : 'safe'}>{suspended ? 'Suspended' : 'Active'}</Badge>
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
          <dd className="mono">{user.user_id}</dd>
        </div>
        <div>
          <dt>Business</dt>
          <dd>{user.businessName}</dd>
        </div>
        <div>
          <dt>Phone</dt>
          <dd className="num">{personalWords(user.phone_1)}</dd>
        </div>
      </dl>
      {head && !myself && user.is_admin === 0 && (
        <UserActs user={user} mayMakeAdmin={mayMakeAdmin} />
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

function UserActs({ user, mayMakeAdmin }: UserCardProps) {
  const suspension = useSuspension(user);
  const subAdmin = useSubAdmin(user);
  const isSub = user.is_subAdmin === 1;
  const of = <span className="vh"> {user.businessName}</span>;
  return (
    <div className="row">
      <Button
        look={user.is_suspended === 1 ? 'line' : 'danger-line'}
        size="s"
        className="grow"
        busy={suspension.isPending}
        onClick={() => suspension.mutate()}
      >
        {user.is_suspended === 1 ? 'Activate' : 'Deactivate'}
        {of}
      </Button>
      {(isSub || mayMakeAdmin) && (
        <Button
          look={isSub ? 'line' : 'tint'}
          size="s"
          className="grow"
          busy={subAdmin.isPending}
          onClick={() => subAdmin.mutate(!isSub)}
        >
          {isSub ? 'Delete Admin' : 'Make Admin'}
          {of}
        </Button>
      )}
    </div>
  );
}
