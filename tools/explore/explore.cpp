#include "Planning/StripPlan.h"
#include "Pipelines/SearchPlan.h"
#include "Pipelines/TimeSchedule.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/PlanCost.h"
#include <cstdio>
#include <ctime>
#include <cstdlib>
using namespace mlir::trn; using namespace mlir::trn::planning;
static Graph source(int64_t m,int64_t k,int64_t r,int64_t n){
  Graph g; g.dims={{"m",m},{"k",k},{"n",n}};
  if(!r){ g.matrices={{"x",0,1},{"w",1,2},{"o",0,2,ElementType::BF16,Role::Result}}; g.stages.push_back({2,{{0,1,1}}}); return g;}
  g.dims.push_back({"r",r});
  g.matrices={{"x",0,1},{"u",1,3},{"v",3,2},{"o",0,2,ElementType::BF16,Role::Result},{"y",0,3,ElementType::BF16,Role::Intermediate}};
  g.stages.push_back({4,{{0,1,1}}}); g.stages.push_back({3,{{4,2,3}}}); return g; }
static std::string text(const Schedule&s){ std::string o; for(auto&n:s.plan.nests){o+=s.graph.matrices[s.graph.stages[n.stage].result].name+"("; for(auto&l:n.loops) o+=s.graph.dims[l.dim].name+" "+std::to_string(l.block)+" "; o+=") ";} for(auto&h:s.plan.homes){ o+=s.graph.matrices[h.matrix].name+"@"+std::to_string(h.level)+"x"+std::to_string(h.slots)+(h.early?"early":"")+(h.packed?"packed":"")+(h.sums?(h.sums->store==Store::Psum?"+psum":"+sbuf"):"")+" ";} return o;}
int main(int argc,char**argv){
  const Machine&mach=*findKnownMachine(argv[1]); int64_t effort=atoll(argv[2]);
  int64_t m,k,r,n; char tag[200];
  while(scanf("%ld %ld %ld %ld %199s",&m,&k,&r,&n,tag)==5){
  Graph src=source(m,k,r,n);
  double bytes=2.0*(m*k+m*n+(r?k*r+r*n:k*n));
  double cols=2.0*m*(r?double(r)*(k+n):double(k)*n)/ (2.0*128*128);
  double bound=std::max(bytes/mach.dmaSustainedGBPerSecond(), cols*mach.tensorNsPerColumn);
  Constraints con; if(getenv("STRIP")) con.blocks.push_back({"m",atoll(getenv("STRIP"))});
  clock_t t0=clock(); auto f=searchPlan(src,con,mach,effort);
  if(!f){printf("%s FAILED %s\n",tag,toString(f.takeError()).c_str());continue;}
  printf("%s q %.4f us %.2f timed %ld cpu %.0f ms %s\n",tag,(f->latency/1e3-mach.kernelOverheadNs)/bound,f->latency/1e6,(long)f->timed,1e3*(clock()-t0)/CLOCKS_PER_SEC,text(f->schedule).c_str()); fflush(stdout);}
}
