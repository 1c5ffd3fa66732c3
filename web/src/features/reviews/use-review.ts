import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '../../api/error.js';
import { addReview } from '../../api/reviews.js';
import { useSessionPhase, useUser } from '../../stores/session.js';
import { TOAST_MS, toast } from '../../ui/toast.js';
import { ratingOf, type StarCount } from './stars.js';

/**
 * The review being written. It is thanked for and cleared at once, before the server answers; when it could not be
 * posted, what was written comes back.
 */
export function useReview() {
  const client = useQueryClient();
  const user = useUser();
  const signedIn = useSessionPhase() === 'signed-in';
  const author = signedIn ? user?.businessName : undefined;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<StarCount>();
  const [failure, setFailure] = useState<string>();
  /** What has been written since: it is not overwritten by what comes back. */
  const newer = useRef('');
  newer.current = text;

  const submit = async () => {
    const comment_text = text.trim();
    if (chosen === undefined) return;
    if (comment_text === '') return toast.error('Please enter your comment');
    setFailure(undefined);
    setText('');
    setChosen(undefined);
    toast.success('Thank you for your review', { duration: TOAST_MS });
    try {
      await addReview({
        comment_text,
        ratingData: ratingOf(chosen),
        ...(author !== undefined && { businessName: author }),
      });
      await client.invalidateQueries({ queryKey: ['reviews'] });
    } catch (error) {
      console.error(error);
      setFailure(messageOf(error));
      if (newer.current !== '') return;
      setText(comment_text);
      setChosen(chosen);
    }
  };
  return { text, setText, chosen, setChosen, author, failure, submit };
}
