import { useMutation, useQuery } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { settingsQuery } from '../../api/settings.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { toast } from '../../ui/toast.js';
import { allowPush, mayAskForPush } from './push.js';

/** Offers word of orders while Oja is closed; the browser asks only after a press. */
export function PushAsk({ sellerId }: { readonly sellerId: string }) {
  const { data: settings } = useQuery(settingsQuery);
  const publicKey = settings?.pushPublicKey ?? null;
  const allow = useMutation({
    mutationFn: (key: string) => allowPush(sellerId, key),
    onSuccess: (allowed) => {
      if (allowed) toast.success('You will hear of orders on this device.');
    },
    onError: (error) => {
      console.error(error);
      toast.error('This device could not be reached. Try again later.');
    },
  });
  if (publicKey === null || allow.isSuccess || !mayAskForPush()) return null;
  return (
    <section className="pushask panel" aria-label="Messages while Oja is closed">
      <Icon of={BellRing} size="l" />
      <p className="grow">
        <b>Hear about orders when Oja is closed</b>
        <span className="muted small">One short message per order.</span>
      </p>
      <Button look="tint" size="s" busy={allow.isPending} onClick={() => allow.mutate(publicKey)}>
        Allow
      </Button>
    </section>
  );
}
