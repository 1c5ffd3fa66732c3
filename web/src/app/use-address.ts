import {
  createSearchParams,
  type NavigateOptions,
  type URLSearchParamsInit,
  useNavigate,
  useSearchParams,
} from 'react-router-dom';

/** What is asked in the address, and how to ask something else on this page: it resolves once it stands there. */
export function useAddress() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const go = async (next: URLSearchParamsInit, options?: NavigateOptions): Promise<void> =>
    navigate(`?${createSearchParams(next)}`, options);
  return [params, go] as const;
}
