// Style sheets that scripts import; the bundler writes them into one file.
declare module "*.css";
