import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { fetchWallets } from '../../core/wallets/fetchWallets.ts'
import { walletImage } from '../../core/wallets/images.ts'
import { useKitContext } from '../../react/context.ts'
import { preloadImages } from './preloadImages.ts'

/** How long a page stays fresh, in ms. */
const freshMs = 60_000

/** The wallet directory as an infinite query. */
export function useWalletPages(parameters: { search: string; certified: boolean }) {
  const { search, certified } = parameters
  const { kit, queryClient } = useKitContext()
  const query = useInfiniteQuery(
    {
      queryKey: ['gatefold', kit.options.storageKey, 'wallets', search, certified],
      queryFn: async ({ pageParam, signal }) => {
        const page = await fetchWallets(kit, { page: pageParam, search, certified, signal })
        const images = page.wallets.flatMap((wallet) => walletImage(kit, wallet) ?? [])
        const preloaded = preloadImages(images)
        // The first page does not wait for its images, because the visitor is waiting for it. Later pages
        // are requested before the visitor reaches the end of the list.
        if (pageParam > 1) await preloaded
        return page
      },
      initialPageParam: 1,
      getNextPageParam: ({ count, wallets }, pages) => {
        const loaded = pages.reduce((sum, page) => sum + page.wallets.length, 0)
        return wallets.length > 0 && loaded < count ? pages.length + 1 : undefined
      },
      staleTime: freshMs,
      retry: 1,
    },
    queryClient,
  )
  const { data, isFetching, hasNextPage, fetchNextPage, refetch } = query
  const wallets = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.wallets) ?? []
    // Pages overlap if the directory changed between two requests.
    return [...new Map(all.map((wallet) => [wallet.id, wallet])).values()]
  }, [data])
  return {
    wallets,
    count: data?.pages.at(-1)?.count ?? 0,
    pending: query.isPending,
    failed: query.isError,
    /** Whether a page comes from the bundled directory, because a request to the configured gateway failed. */
    offline:
      Boolean(kit.options.endpoints.gateway) && data?.pages.some(({ online }) => !online) === true,
    /** Loads the next page; undefined on the last one. */
    more: hasNextPage ? () => void (isFetching || fetchNextPage()) : undefined,
    retry: () => void refetch(),
  }
}
