/** A mock of the frame while the first page after a full load is loading. */
export function ShellSkeleton() {
  if (/^\/(login|device)\//.test(location.pathname)) return null
  const block = 'animate-pulse rounded-control bg-skeleton'
  return (
    <div aria-hidden>
      <div className="fixed inset-x-0 top-0 flex h-(--top-bar-height) items-center gap-3 border-b px-4">
        <div className={`size-7 ${block}`} />
        <div className={`h-3 w-24 ${block}`} />
        <div className={`ml-auto h-6 w-20 ${block}`} />
      </div>
      <div className="fixed bottom-0 left-0 top-(--top-bar-height) w-(--sidebar-width) overflow-hidden border-r bg-sunken">
        <div className="flex flex-col gap-3 p-4">
          {['w-full', 'w-24', 'w-28', 'w-20', 'w-32'].map((width) => (
            <div key={width} className={`h-4 ${width} ${block}`} />
          ))}
        </div>
      </div>
    </div>
  )
}
