import { Link } from '@tanstack/react-router'
import { cx } from '../ui/cx.ts'
import { tooltip } from '../ui/tooltip.tsx'
import { useCrumbs } from './crumbs.ts'

/** All crumbs; on a phone the page and what it belongs to, as a project. */
export function Breadcrumbs() {
  const crumbs = useCrumbs().filter((crumb) => !crumb.titleOnly)
  const owner = crumbs.findIndex(({ named }) => named)
  return (
    <nav aria-label="Breadcrumbs" className="flex min-w-0 flex-1 items-center">
      {crumbs.map((crumb, index) => {
        const last = index === crumbs.length - 1
        return (
          <span
            key={crumb.path + crumb.label}
            className={cx(
              'flex min-w-0 items-center',
              last
                ? owner >= 0 && owner < index && 'max-sm:max-w-2/3 max-sm:shrink-0'
                : index !== owner && 'max-sm:hidden',
            )}
          >
            {index > 0 && (
              <span
                aria-hidden
                className={cx(
                  'mx-1 text-line-strong max-sm:mx-0',
                  (!last || owner < 0 || owner === index) && 'max-sm:hidden',
                )}
              >
                /
              </span>
            )}
            <Link
              to={crumb.path as '/'}
              aria-current={last ? 'page' : undefined}
              className={cx(
                'max-w-56 truncate rounded-sm px-1.5 py-0.5 hover:bg-hover hover:text-primary',
                last ? 'text-primary' : 'text-secondary',
              )}
              {...tooltip(crumb.label, 'truncated')}
            >
              {crumb.label}
            </Link>
          </span>
        )
      })}
    </nav>
  )
}
