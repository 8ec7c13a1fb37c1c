import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { cut } from '../ui/cut.tsx'
import { cx } from '../ui/cx.ts'
import { useCrumbs } from './crumbs.ts'

/** All crumbs; on a phone, only the last one and a link back to its parent. */
export function Breadcrumbs() {
  const crumbs = useCrumbs().filter((crumb) => !crumb.titleOnly)
  const back = crumbs.at(-2)
  return (
    <nav aria-label="Breadcrumbs" className="flex min-w-0 flex-1 items-center">
      {back && (
        <Link
          to={back.path as '/'}
          aria-label={`Back to ${back.label}`}
          className="flex h-8 w-6 shrink-0 items-center justify-center rounded-control text-secondary hover:bg-hover hover:text-primary sm:hidden"
        >
          <ChevronLeft size={16} strokeWidth={1.5} aria-hidden />
        </Link>
      )}
      {crumbs.map((crumb, index) => {
        const last = index === crumbs.length - 1
        return (
          <span
            key={crumb.path + crumb.label}
            className={cx('flex min-w-0 items-center', !last && 'max-sm:hidden')}
          >
            {index > 0 && (
              <span aria-hidden className="mx-1 text-line-strong max-sm:hidden">
                /
              </span>
            )}
            <Link
              to={crumb.path as '/'}
              aria-current={last ? 'page' : undefined}
              {...cut(
                crumb.label,
                cx(
                  'wraps-on-phone min-w-6 rounded-sm px-1.5 py-0.5 hover:bg-hover hover:text-primary max-sm:line-clamp-2 max-sm:px-0 max-sm:text-xs max-sm:leading-4 max-sm:tracking-tight max-sm:wrap-anywhere max-sm:whitespace-normal sm:max-w-56',
                  last ? 'text-primary' : 'text-secondary',
                ),
              )}
            />
          </span>
        )
      })}
    </nav>
  )
}
