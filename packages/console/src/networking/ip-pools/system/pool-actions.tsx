import type { IpPool } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../../workspace/as-code/as-code.tsx'
import { invalidate, seed } from '../../../data/api.ts'
import { useDeletion } from '../../../workspace/jobs/ask-deletion.ts'
import { pathTo } from '../../../page/path-to.ts'
import type { MenuAction } from '../../../ui/menu-action.ts'
import { doneToast } from '../../../ui/toasts.tsx'

type Page = {
  /** Why the pool of the page cannot be deleted, as far as the page knows. */
  cannotDelete: string | undefined
  /** Leaves the page. */
  onDeleted: () => Promise<unknown>
}

/** What can be done to a pool, in its row and on its page. */
export function usePoolActions(page?: Page): (pool: IpPool) => MenuAction[] {
  const navigate = useNavigate()
  const deletion = useDeletion()
  const remove = useApiAction('systemIpPoolDelete', {
    onSuccess: async (_, { path }) => {
      doneToast('Pool', path.pool, 'deleted')
      await page?.onDeleted()
      await invalidate('systemIpPoolList', 'siloIpPoolList', 'ipPoolList')
    },
  })
  return (pool) => [
    {
      label: 'Edit',
      calls: 'systemIpPoolUpdate',
      onAction: () => {
        // The panel opens at once with what is shown already.
        seed('systemIpPoolView', { path: { pool: pool.name } }, pool)
        void navigate({
          to: '/system/networking/ip-pools/$pool/edit',
          params: { pool: pool.name },
        })
      },
    },
    deletion({
      kind: 'system_ip_pool',
      noun: 'IP pool',
      id: pool.id,
      name: pool.name,
      cannot: page?.cannotDelete,
      extra: 'It is unlinked from all silos.',
      leaveTo: page && pathTo('/system/networking/ip-pools'),
      ...remove({ path: { pool: pool.name } }),
    }),
  ]
}
