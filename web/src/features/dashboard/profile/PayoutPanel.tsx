import { useQuery } from '@tanstack/react-query';
import { Landmark, Pencil } from 'lucide-react';
import { useState } from 'react';
import { payoutAccountQuery } from '../../../api/profile.js';
import { Button } from '../../../ui/Button.js';
import { Icon } from '../../../ui/Icon.js';
import { bankName } from './banks.js';
import { PayoutForm } from './PayoutForm.js';

/** Optional bank details. They are sealed: only the payout reads them. */
export function PayoutPanel() {
  const { data: account } = useQuery(payoutAccountQuery);
  const [editing, setEditing] = useState(false);
  if (account === undefined) return null;
  return (
    <section className="panel" aria-label="Bank details">
      <div className="row spread">
        <h2 className="h3 first">Bank details</h2>
        {!editing && (
          <Button look="line" size="s" onClick={() => setEditing(true)}>
            <Icon of={account === null ? Landmark : Pencil} size="s" />
            {account === null ? 'Add bank details' : 'Change'}
          </Button>
        )}
      </div>
      {editing && <PayoutForm account={account} onDone={() => setEditing(false)} />}
      {!editing && account === null && (
        <p className="muted told">Not needed to sell. Your released money is sent there.</p>
      )}
      {!editing && account !== null && (
        <p className="told">
          <b>{account.account_name}</b>
          <br />
          <span className="num">{account.account_number}</span>, {bankName(account.bank_code)}
        </p>
      )}
    </section>
  );
}
