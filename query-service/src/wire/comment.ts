import type { Comment } from '@oja/contracts';
import type { CommentDocument } from '@oja/contracts/models';

export function comment(document: CommentDocument): Comment {
  return {
    comment_id: document.reviewId,
    businessName: document.businessName,
    comment_text: document.text,
    stars: document.stars,
    created_at: document.at,
  };
}
