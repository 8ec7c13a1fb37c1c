/**
 * Checks for circular imports, and that the layers of a package import in one direction. Type
 * imports and `import()` count as well. The linter has the rules for imports between packages.
 */
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { root } from './processes.ts'

/** Areas of resources and pages. */
const areas =
  '(compute|storage|networking|system-networking|identity|tenancy|hardware|observability|maintenance|workspace)/'

/**
 * Layers of a package, lowest first, as patterns of paths inside its `src`. A file may import from
 * its own and lower layers; files that match no pattern are the top layer.
 */
const layers: Record<string, readonly string[]> = {
  api: [
    '(rules/|(sha256|shape|generated/version-facts)\\.ts)',
    '(schema|bounds|version-history|describe-json|locate-json|json-syntax|parse|versions|operation|paging|searched|network)\\.ts',
    `(${areas}|kinds/|events/)`,
  ],
  'control-plane': ['kernel/', 'resources/', 'migrations/', 'transport/'],
  console: [
    'ui/',
    'data/',
    // Workspace tools are part of any page.
    '(page|forms|workspace)/',
    areas,
    'shell/',
  ],
}

const direction = Object.entries(layers).flatMap(([name, patterns]) => {
  const source = `^packages/${name}/src/`
  return patterns.map((pattern, index) => ({
    name: `${name}: ${pattern}`,
    severity: 'error' as const,
    from: {
      path: source + pattern,
      pathNot: patterns.slice(0, index).map((each) => source + each),
    },
    to: {
      path: source,
      pathNot: patterns.slice(0, index + 1).map((each) => source + each),
    },
  }))
})

/** The gallery needs no control plane, and its code must not reach the console. */
const galleryRules = [
  {
    name: 'gallery: only the design system',
    severity: 'error' as const,
    from: { path: '^packages/console/gallery/' },
    to: {
      path: '^packages/console/src/',
      pathNot: '^packages/console/src/(ui/|tenancy/utilization/meter)',
    },
  },
  {
    name: 'console: not the gallery',
    severity: 'error' as const,
    from: { path: '^packages/console/src/' },
    to: { path: '^packages/console/gallery/' },
  },
]

const { output } = await cruise(['packages', 'e2e', 'scripts'], {
  baseDir: root,
  // TypeScript 7 has no API for tools yet.
  parser: 'swc',
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '/dist/' },
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import'] },
  validate: true,
  ruleSet: {
    forbidden: [
      { name: 'circle', severity: 'error', from: {}, to: { circular: true } },
      {
        // An unresolved import could be part of a cycle.
        name: 'not found',
        severity: 'error',
        from: { pathNot: 'node_modules' },
        to: { couldNotResolve: true },
      },
      ...direction,
      ...galleryRules,
    ],
  },
})
const { modules, summary } = output as ICruiseResult
if (modules.length === 0) throw new Error('No imports were found.')
for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle ? [from, ...cycle.map(({ name }) => name)].join('\n    → ') : `${from} → ${to}`
  console.log(`${rule.name}\n  ${path}`)
}
process.exitCode = summary.violations.length > 0 ? 1 : 0
