/** The Worker's bindings as far as tests outside the Worker have any: texts. */
interface Env {
  [binding: string]: string;
}
