/** A style sheet's text, minified when the script is built. */
declare module "*/style.css" {
  const text: string;
  export default text;
}
