// Parts that most visits never show are loaded when they are first shown, so that the first load stays small.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Loaded<Props> = { readonly part: ComponentType<Props> } | 'loading' | 'failed'

export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [loaded, setLoaded] = useState<Loaded<Props>>(known === undefined ? 'loading' : { part: known })
    useEffect(() => {
      if (known !== undefined) return
      const show = async (): Promise<void> => {
        try {
          known = await load()
          setLoaded({ part: known })
        } catch {
          setLoaded('failed')
        }
      }
      void show()
    }, [])
    if (loaded === 'loading') return <p class="faint">Reading…</p>
    // After an upgrade of the service, the files that an open page names are gone.
    if (loaded === 'failed') return <p class="problem">This part could not be loaded. Reload the page.</p>
    return <loaded.part {...props} />
  }
}
