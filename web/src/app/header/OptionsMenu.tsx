import { ChevronDown } from 'lucide-react';
import type { UserDetails } from '../../api/types.js';
import { Icon } from '../../ui/Icon.js';
import { SellerSwatch } from '../../ui/SellerSwatch.js';
import { MenuButton } from './MenuButton.js';
import { OptionItems } from './options.js';

/** The seller's cloth and name, with the options below. */
export function OptionsMenu({ user }: { readonly user: UserDetails }) {
  return (
    <MenuButton
      className="who"
      label={`${user.businessName}, options`}
      face={
        <>
          <SellerSwatch sellerId={user.user_id} size={28} />
          <span className="only-l">{user.businessName}</span>
          <Icon of={ChevronDown} size="s" className="only-l" />
        </>
      }
    >
      <OptionItems />
    </MenuButton>
  );
}
