import { KiB } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Download, FileText } from 'lucide-react'
import { readText } from './read-text.ts'
import { LoadError } from '../../page/load-error.tsx'
import { Button } from '../../ui/button.tsx'
import { SideModal } from '../../ui/side-modal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Size } from '../../ui/text.tsx'
import { download } from '../../page/download.ts'
import { type BundleFile, downloadPath } from './queries.ts'

/** Maximum number of bytes shown; browsers lay out larger texts slowly. */
const SHOWN = 256 * KiB

/** Complete JSON is formatted with a line per value. */
function laidOut(name: string, text: string): string {
  if (!name.endsWith('.json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Invalid because truncated.
    return text
  }
}

type Props = { bundle: string; file: BundleFile; onDismiss: () => void }

/** The beginning of a bundle's file. */
export default function FilePreview({ bundle, file: { name, size }, onDismiss }: Props) {
  const path = downloadPath(bundle, name)
  const { data, error, refetch } = useQuery({
    queryKey: ['supportBundleFile', path] as const,
    staleTime: Infinity,
    // An empty file has no valid range.
    queryFn: () =>
      size === 0 ? '' : readText('supportBundleView', path, { range: `bytes=0-${SHOWN - 1}` }),
  })
  const fileName = name.split('/').at(-1)!
  const isCut = size === undefined ? (data?.length ?? 0) >= SHOWN : size > SHOWN
  return (
    <SideModal
      title={fileName}
      subtitle={
        <>
          <FileText size={16} strokeWidth={1.5} aria-hidden />
          {name}
        </>
      }
      onDismiss={onDismiss}
      aside={
        isCut ? (
          <span className="ps-2 text-xs text-secondary">
            The first <Size bytes={SHOWN} /> of the file
          </span>
        ) : undefined
      }
      footer={
        <>
          <Button onClick={onDismiss}>Close</Button>
          <Button
            variant="primary"
            icon={<Download size={16} strokeWidth={1.5} aria-hidden />}
            sends
            onClick={() => void download(path, fileName)}
          >
            Download
          </Button>
        </>
      }
    >
      {error && !data ? (
        <LoadError what="The file" error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <div className="flex justify-center py-8">
          <Spinner />
        </div>
      ) : (
        <pre
          // A scrollable element must be reachable by keyboard.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          role="group"
          aria-label={`Contents of ${fileName}`}
          className="focus-inset min-h-0 flex-1 overflow-auto rounded-control border bg-sunken p-3 font-mono text-xs/5"
        >
          {laidOut(name, data)}
        </pre>
      )}
    </SideModal>
  )
}
