const block = 'animate-pulse rounded-control bg-skeleton'

/** Where the words of the sidebar and the names in the rows end. */
const sidebarWords = ['w-full', 'w-24', 'w-28', 'w-20', 'w-32']
const rowWords = ['w-40', 'w-56', 'w-32', 'w-48', 'w-36', 'w-44']

/**
 * A mock of the frame while the first page after a full load is loading. Nearly all pages begin with
 * a heading and go on with rows.
 */
export function ShellSkeleton() {
  if (/^\/(login|device)\//.test(location.pathname)) return null
  return (
    <div aria-hidden>
      <div className="fixed inset-x-0 top-0 flex h-(--top-bar-height) items-center gap-3 border-b px-4">
        <div className={`size-7 ${block}`} />
        <div className={`h-3 w-24 ${block}`} />
        <div className={`ml-auto h-6 w-20 ${block}`} />
      </div>
      <div className="fixed bottom-0 left-0 top-(--top-bar-height) w-(--sidebar-width) overflow-hidden border-r bg-sunken">
        <div className="flex flex-col gap-3 p-4">
          {sidebarWords.map((width) => (
            <div key={width} className={`h-4 ${width} ${block}`} />
          ))}
        </div>
      </div>
      <div className="pt-(--top-bar-height) pl-(--sidebar-width)">
        <div className="flex h-18 items-center justify-between px-(--gutter)">
          <div className={`h-5 w-36 ${block}`} />
          <div className={`h-8 w-28 ${block}`} />
        </div>
        <div className="border-b px-(--gutter) pb-3">
          <div className={`h-8 w-72 max-w-full ${block}`} />
        </div>
        {rowWords.map((width) => (
          <div key={width} className="flex h-10 items-center border-b px-(--gutter) max-sm:h-14">
            <div className={`h-3 ${width} ${block}`} />
          </div>
        ))}
      </div>
    </div>
  )
}
