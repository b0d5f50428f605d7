export { helpTexts, type HelpText } from './help-texts.ts'
export { checkPortIsFree } from './local/check-port-is-free.ts'
export { exampleEmployee, exampleObjects, exampleOntology } from './local/example-objects.ts'
export { onceParentIsGone } from './local/once-parent-is-gone.ts'
