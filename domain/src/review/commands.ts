export interface PostReview {
  readonly type: 'PostReview';
  readonly reviewId: string;
  /** The signed-in seller whose business name stands with it; null: anonymous. */
  readonly by: { readonly sellerId: string; readonly businessName: string } | null;
  readonly comment: string;
  readonly stars: number;
  readonly at: string;
}
export type ReviewCommand = PostReview;
