import type { ImageDownload } from '@steading/api/client'
import { imageDownloadIsActive, imageDownloadCan } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { ALL_ITEMS, apiQuery, useApiMutation, whenReread } from '../../data/api.ts'
import { projectQuery } from '../../page/parent-routes.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Size, Strong } from '../../ui/text.tsx'

/** Milliseconds between two reads while a download is in progress: its progress emits no events. */
const READ_EVERY_MS = 1_000

/** The downloads of a project, or those for the silo. */
export const downloadsQuery = (project?: string) =>
  apiQuery('imageDownloadList', { query: { project, limit: ALL_ITEMS } })

type Props = { project?: string; className?: string }

/**
 * Downloads that are in progress, or have ended without an image: those of a project, or without one
 * those for the silo, which are managed on the page of their project.
 */
export function ImageDownloads({ project, className = 'mx-(--gutter) mb-4' }: Props) {
  const { data } = useQuery({
    ...downloadsQuery(project),
    refetchInterval: ({ state }) =>
      state.data?.items.some((one) => imageDownloadIsActive(one.state)) ? READ_EVERY_MS : false,
  })
  return data?.items
    .filter(({ state }) => state !== 'ready')
    .map((download) => <Download key={download.id} {...{ project, download, className }} />)
}

function Download({ project, download, className }: Props & { download: ImageDownload }) {
  const { state, problem } = download
  const failed = state === 'failed'
  return (
    <Banner
      variant={failed ? 'error' : state === 'cancelled' ? 'notice' : 'info'}
      title={titles[state](download.name)}
      className={className}
    >
      <Progress download={download} />
      <p className="mt-1 text-xs wrap-anywhere">{download.url}</p>
      {problem && !failed && <p>{problem}. It is tried again.</p>}
      {problem && failed && <p className="mt-1">{problem}.</p>}
      {project === undefined ? (
        <ProjectOf download={download} />
      ) : (
        <Actions project={project} download={download} />
      )}
    </Banner>
  )
}

/** Leads to the page where a download is cancelled, changed and tried again. */
function ProjectOf({ download: { projectId } }: { download: ImageDownload }) {
  const name = useQuery(projectQuery(projectId)).data?.name
  return (
    name && (
      <p className="mt-1">
        In project{' '}
        <TextLink to="/projects/$project/images" params={{ project: name }}>
          {name}
        </TextLink>
      </p>
    )
  )
}

function Actions({ project, download }: { project: string; download: ImageDownload }) {
  const { id, state } = download
  const args = { path: { imageDownload: id } }
  const retry = useApiMutation('imageDownloadRetry', { onSuccess: whenReread })
  const remove = useApiMutation('imageDownloadDelete', { onSuccess: whenReread })
  const cancel = useApiAction('imageDownloadCancel', { onSuccess: whenReread })
  const error = retry.error ?? remove.error
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        {imageDownloadCan('cancel', state) && (
          <Button
            size="sm"
            calls="imageDownloadCancel"
            onClick={() =>
              confirmAction({
                title: 'Cancel download',
                errorTitle: `Could not cancel the download of ${download.name}`,
                danger: true,
                body: (
                  <>
                    The bytes of <Strong>{download.name}</Strong> that are stored so far are
                    deleted.
                  </>
                ),
                ...cancel(args),
              })
            }
          >
            Cancel download
          </Button>
        )}
        {imageDownloadCan('retry', state) && (
          <>
            <Button
              size="sm"
              sends
              calls="imageDownloadRetry"
              loading={retry.isPending}
              onClick={() => retry.mutate(args)}
            >
              Try again
            </Button>
            <LinkButton
              size="sm"
              to="/projects/$project/images-new"
              params={{ project }}
              search={{ download: id }}
            >
              Edit
            </LinkButton>
            <Button
              size="sm"
              sends
              calls="imageDownloadDelete"
              loading={remove.isPending}
              onClick={() => remove.mutate(args)}
            >
              Dismiss
            </Button>
          </>
        )}
      </div>
    </>
  )
}

const titles: Record<ImageDownload['state'], (name: string) => string> = {
  downloading: (name) => `Downloading ${name}`,
  verifying: (name) => `Comparing the checksum of ${name}`,
  importing: (name) => `Making image ${name}`,
  ready: (name) => `Image ${name} is ready`,
  failed: (name) => `The download of ${name} failed`,
  cancelled: (name) => `The download of ${name} was cancelled`,
}

/** How far a download is. */
function Progress({
  download: { state, size, received, conversion },
}: {
  download: ImageDownload
}) {
  if (state === 'importing' && conversion) return <p>Image converted: {conversion.percent}%</p>
  if (state !== 'downloading') return null
  if (size === null && received === 0) return <p>Connecting…</p>
  // Some servers do not send the size of a file.
  if (size === null) {
    return (
      <p className="text-xs tabular-nums">
        <Size bytes={received} /> received
      </p>
    )
  }
  const part = received / size
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <ProgressBar
        aria-label="Download progress"
        value={Math.floor(part * 100)}
        className="max-w-96 min-w-32 flex-1"
      >
        <span className="block h-1.5 overflow-hidden rounded-full bg-line">
          <span
            className="block h-full origin-left rounded-full bg-accent"
            style={{ transform: `scaleX(${part})` }}
          />
        </span>
      </ProgressBar>
      <span className="text-xs whitespace-nowrap tabular-nums">
        <Size bytes={received} /> of <Size bytes={size} />
      </span>
    </div>
  )
}
