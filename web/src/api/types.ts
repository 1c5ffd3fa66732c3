/** What the first calls answer, as far as the shell and home read it. */
export interface Product {
  readonly product_id: string;
  readonly user_id: string;
  readonly prod_name: string;
  readonly price: number;
  readonly prod_condition?: 'New' | 'Used' | undefined;
  readonly state: string;
  readonly local_govt: string;
  readonly subcategory_id: number;
  readonly subcategory_name: string;
  readonly image_urls: readonly string[];
  readonly businessName: string;
}

export interface SearchAnswer {
  readonly result: readonly Product[];
  readonly total: number;
  readonly nextCursor: string | null;
}

type Flag = 0 | 1;

export interface UserDetails {
  readonly user_id: string;
  readonly name: string | null;
  readonly businessName: string;
  readonly is_admin: Flag;
  readonly is_subAdmin: Flag;
  readonly is_suspended: Flag;
}

export interface Notification {
  readonly message: string;
  readonly prod_id: string;
  readonly quantity: string;
  readonly created_at: string;
  readonly items: readonly {
    readonly product_id: string;
    readonly prod_name: string;
    readonly quantity: number;
    readonly image_url: string | null;
  }[];
}

export interface UnreadAnswer {
  readonly result: readonly Notification[];
  readonly position: string | null;
}
