import { limits } from '@oja/domain/rules';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { orderQuery, reportProblem } from '../../api/checkout.js';
import { messageOf } from '../../api/error.js';
import type { Order } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { Checkbox } from '../../ui/Checkbox.js';
import { Dialog } from '../../ui/Dialog.js';
import { Message } from '../../ui/Field.js';
import { TextArea } from '../../ui/TextArea.js';
import { toast } from '../../ui/toast.js';

interface ProblemDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

interface Wrong {
  readonly sellers?: string;
  readonly message?: string;
}

/** Whose goods, and what is wrong with them. Their money stays held until it is settled. */
export function ProblemDialog({ order, onClose }: ProblemDialogProps) {
  const client = useQueryClient();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const sellers = order.shares.filter(({ status }) => status === 'held');
  const [chosen, setChosen] = useState<readonly string[]>(
    sellers.length === 1 ? sellers.map((share) => share.user_id) : [],
  );
  const [message, setMessage] = useState('');
  const [wrong, setWrong] = useState<Wrong>({});

  const report = useMutation({
    mutationFn: () =>
      reportProblem(order.transactionId, { sellerIds: [...chosen], message: message.trim() }),
    onSuccess: async (answer) => {
      toast.success(answer.message);
      await client.invalidateQueries({ queryKey: orderQuery(order.transactionId).queryKey });
      onClose();
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found: Wrong = {
      ...(chosen.length === 0 && { sellers: 'Choose whose goods it is about' }),
      ...(message.trim() === '' && { message: 'Say what is wrong' }),
    };
    setWrong(found);
    if (found.sellers !== undefined) form.current?.querySelector('input')?.focus();
    else if (found.message !== undefined) form.current?.querySelector('textarea')?.focus();
    else report.mutate();
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title="Report a problem"
      foot={
        <Button type="submit" form={formId} full busy={report.isPending}>
          Send
        </Button>
      }
    >
      <form id={formId} ref={form} className="form problem" onSubmit={submit} noValidate>
        <fieldset aria-describedby={wrong.sellers === undefined ? undefined : `${formId}-sellers`}>
          <legend className="lab">Whose goods is it about?</legend>
          {sellers.map(({ user_id, businessName }) => (
            <Checkbox
              key={user_id}
              checked={chosen.includes(user_id)}
              onChange={({ target }) =>
                setChosen(
                  target.checked ? [...chosen, user_id] : chosen.filter((id) => id !== user_id),
                )
              }
            >
              {businessName}
            </Checkbox>
          ))}
          {wrong.sellers !== undefined && (
            <div id={`${formId}-sellers`}>
              <Message kind="err">{wrong.sellers}</Message>
            </div>
          )}
        </fieldset>
        <TextArea
          label="What is wrong?"
          required
          maxLength={limits.comment.max}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
          error={wrong.message}
          hint="Did nothing come, is it broken, is it another product? Your money for these goods stays with Oja meanwhile."
        />
        {report.error !== null && (
          <Message kind="err" role="alert">
            {messageOf(report.error)}
          </Message>
        )}
      </form>
    </Dialog>
  );
}
