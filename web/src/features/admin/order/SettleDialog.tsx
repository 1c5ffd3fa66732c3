import { limits } from '@oja/domain/rules';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { resolveDispute } from '../../../api/admin.js';
import { messageOf } from '../../../api/error.js';
import { queryClient } from '../../../api/query-client.js';
import type { Transaction } from '../../../api/types.js';
import { Button } from '../../../ui/Button.js';
import { Dialog } from '../../../ui/Dialog.js';
import { Message } from '../../../ui/Field.js';
import { Naira } from '../../../ui/Price.js';
import { TextArea } from '../../../ui/TextArea.js';
import { toast } from '../../../ui/toast.js';

export type Outcome = 'release' | 'refund';

interface SettleDialogProps {
  readonly transactionId: string;
  readonly share: Transaction['shares'][number];
  /** Undefined while nothing is asked. */
  readonly outcome: Outcome | undefined;
  readonly onClose: () => void;
}

/** Asks once, by name, before a share is released or goes back. */
export function SettleDialog({ transactionId, share, outcome, onClose }: SettleDialogProps) {
  const [note, setNote] = useState('');
  const settle = useMutation({
    mutationFn: (chosen: Outcome) =>
      resolveDispute(transactionId, {
        sellerId: share.user_id,
        outcome: chosen,
        ...(note.trim() !== '' && { note }),
      }),
    onSuccess: async (message) => {
      toast.success(message);
      onClose();
      await Promise.all(
        ['admin', 'timeline'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      );
    },
  });
  const release = outcome === 'release';
  return (
    <Dialog
      open={outcome !== undefined}
      onClose={onClose}
      title={release ? `Release to ${share.businessName}?` : 'Refund the buyer?'}
      foot={
        <div className="row">
          <Button look="line" className="grow" onClick={onClose}>
            Not now
          </Button>
          <Button
            look={release ? 'safe' : 'danger'}
            className="grow"
            busy={settle.isPending}
            onClick={() => settle.mutate(outcome ?? 'refund')}
          >
            {release ? 'Release' : 'Refund'}
          </Button>
        </div>
      }
    >
      <p>
        {release ? (
          <>
            <Naira amount={share.share} /> goes to {share.businessName}.
          </>
        ) : (
          <>What the buyer paid for the goods of {share.businessName} goes back to them.</>
        )}{' '}
        This cannot be taken back.
      </p>
      <div className="note">
        <TextArea
          label="Note"
          hint="Why. Kept with the order."
          maxLength={limits.comment.max}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      {settle.isError && (
        <Message kind="err" role="alert">
          {messageOf(settle.error)}
        </Message>
      )}
    </Dialog>
  );
}
