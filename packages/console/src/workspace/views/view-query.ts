import type { ListedKind } from '@steading/api/rules'
import { ApiError } from '../../data/errors.ts'
import { viewsQuery } from '../../data/views.ts'

/** One of the views of a list. */
export function viewQuery(list: ListedKind, project: string | undefined, id: string) {
  const { queryKey, queryFn } = viewsQuery(list, project)
  return {
    queryKey: [...queryKey, id],
    queryFn: async () => {
      const view = (await queryFn()).items.find((one) => one.id === id)
      if (!view) throw new ApiError('viewList', 'The view is not there any more', 404)
      return view
    },
  }
}
