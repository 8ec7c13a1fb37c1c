import type { SupportBundleInfo } from '@steading/api/client'
import { bundleCannotDelete, bundleCannotDownload } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { signInFor, seed } from '../../data/api.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { saveFile } from '../../ui/save-file.ts'
import { errorToast, addToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { bundlesChanged, downloadPath, named } from './queries.ts'

/** Downloads a path as a file. */
export async function saveFrom(path: string, name: string): Promise<void> {
  try {
    const response = await fetch(path)
    if (response.status === 401 && (await signInFor(true))) return saveFrom(path, name)
    if (!response.ok) throw new Error(`The control plane answered ${response.status}.`)
    const contents = await response.blob()
    saveFile(name, [contents], contents.type)
  } catch (error) {
    const cutOff = error instanceof TypeError
    errorToast(
      `Could not download ${name}`,
      cutOff ? 'The connection was lost.' : (error as Error).message,
    )
  }
}

export const bundleDocs = {
  topic: 'support bundles',
  summary:
    'A support bundle is a zip file with data for finding faults: versions, configuration, inventory, states, the audit log and the log of the servers. It holds no passwords, keys or tokens.',
}

/**
 * Actions on a bundle, in its row and on its page.
 * @param onDeleted leaves the page
 */
export function useBundleActions(
  onDeleted?: () => Promise<unknown>,
): (bundle: SupportBundleInfo) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('supportBundleDelete', {
    onSuccess: async () => {
      addToast({ content: 'Support bundle is being deleted' })
      await onDeleted?.()
      await bundlesChanged()
    },
  })
  return (bundle) => {
    const { id, state } = bundle
    const { name } = named(bundle)
    return [
      {
        label: 'Download',
        disabledReason: bundleCannotDownload(state),
        onAction: () => void saveFrom(downloadPath(id), `${name}.zip`),
      },
      {
        label: 'Edit comment',
        calls: 'supportBundleUpdate',
        onAction: () => {
          // The panel opens at once with the current data.
          seed('supportBundleView', { path: { bundleId: id } }, bundle)
          void navigate({ to: '/system/support-bundles/$bundle/edit', params: { bundle: id } })
        },
      },
      {
        label: state === 'collecting' ? 'Cancel and delete' : 'Delete',
        calls: 'supportBundleDelete',
        danger: true,
        disabledReason: bundleCannotDelete(state),
        onAction: () =>
          confirmDelete({
            kind: 'support bundle',
            name,
            extra: state === 'collecting' ? 'Its collection ends.' : undefined,
            ...remove({ path: { bundleId: id } }),
          }),
      },
    ]
  }
}
