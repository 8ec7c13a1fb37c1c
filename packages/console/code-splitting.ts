/** Modules that share a file, in the console and in the demo. */
export const codeSplitting = {
  // All other pages and dialogs are separate files.
  groups: [
    { name: 'start', tags: ['$initial' as const] },
    // Two files for parts that most lists or forms share, with small icons. In a file of its
    // own, `uint8array-extras` moves the runtime of the bundler out of the start.
    {
      name: 'lists',
      test: /[\\/]src[\\/](page[\\/](list-|use-list-page|columns|lazy-cell|engine|resource-list)|ui[\\/](cells|state-badge)|compute[\\/]instances[\\/]failure\.)|use-bulk|as-code[\\/](as-code|steps)|icons[\\/]plus\./,
    },
    {
      name: 'forms',
      test: /[\\/]src[\\/](ui[\\/]((side-)?modal|form[\\/](field|form-state|side-modal-form|text-field))\.|forms[\\/]name-fields)|react-hook-form|uint8array-extras|icons[\\/]code-xml/,
    },
  ],
}
